import {pino} from 'pino'
import {Publisher} from '../../../../git/commit/publisher.ts'
import {openContentDirectory} from '../../../../git/openContentDirectory.ts'
import {readHead} from '../../../../git/read/lsTree.ts'
import {ada, day, toolText} from '../publisher.ts'

/** Publishes to a repository until killed, and reports each acknowledged commit. */
const [directory = '', round = ''] = process.argv.slice(2)
const folder = await openContentDirectory(directory)
const publisher = new Publisher({folder, logger: pino({level: 'silent'})})
await publisher.recover()
let parent = await readHead(folder.root)
for (let count = 0; ; count += 1) {
  const names = [`t${count % 50}`, `t${(count * 7 + 1) % 50}`]
  const files = new Map<string, string | undefined>(
    names.map((name) => [`tool/${name}.json`, toolText(name, `${round} ${count}`)]),
  )
  if (count % 3 === 2) files.set(`tool/${names[0]}.json`, undefined)
  const message = `Publish ${count}`
  const {commit} = await publisher.publish(parent, {files, author: ada, message, seconds: day})
  parent = commit
  process.send?.(commit)
}
