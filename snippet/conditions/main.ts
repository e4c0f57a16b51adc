import {watch} from './watch.ts'

export {checkOffered, watch} from './watch.ts'

dispatchEvent(new CustomEvent('handrail:decide', {detail: watch}))
