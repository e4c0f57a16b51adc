import {watch} from './watch.ts'

export {checkOffered, watch} from './watch.ts'

const decide = () => dispatchEvent(new CustomEvent('handrail:decide', {detail: watch}))
decide()
// Snippets that start later, because their tag is deferred, say first that they load.
addEventListener('handrail', decide)
