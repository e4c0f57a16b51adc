import {errorMessage} from '../../../common/errorMessage.ts'
import type {Document} from '../../../content/document.ts'
import type {View} from '../../../content/view.ts'
import {git} from '../../../git/process.ts'
import type {HookSource} from './deliverer.ts'

/** A published document by its id and type. */
type ChangedDocument = {readonly id: string; readonly type: string; readonly isNew: boolean}

type Published = {
  readonly directory: string
  readonly published: () => Pick<View, 'get' | 'all'>
  /** The commit whose documents are served. */
  readonly head: () => string | undefined
  readonly logger: {warn(details: object, message: string): void}
}

/**
 * The changes of published documents. Git's history is the queue: while an address fails, several changes of a document become one.
 */
export function changesFor({directory, published, head, logger}: Published): HookSource {
  async function changed(from: string, to: string): Promise<ChangedDocument[]> {
    try {
      return await changedSince(directory, from, to, (id, type) => published().get(id)?._type === type)
    } catch (error) {
      const message = 'cannot compare with the last delivery: reporting every document'
      logger.warn({reason: errorMessage(error)}, message)
      return Array.from(published().all(), ({_id: id, _type: type}) => ({id, type, isNew: false}))
    }
  }

  return {
    kind: 'change',
    now: head,
    async since(from) {
      const cursor = head() ?? from
      const found = cursor === from ? [] : await changed(from, cursor)
      return {
        cursor,
        deliveries: found.map(({id, type, isNew}) => () => {
          const now = published().get(id)
          const operation = now === undefined ? 'delete' : isNew ? 'create' : 'update'
          return {id, operation, transactionId: cursor, body: namesOf(now) ?? {_id: id, _type: type}}
        }),
      }
    },
  }
}

function namesOf(document: Document | undefined) {
  if (document === undefined) return undefined
  const {_id, _type, _rev, _createdAt, _updatedAt} = document
  return {_id, _type, _rev, _createdAt, _updatedAt}
}

/**
 * The documents whose files differ between two commits. A document may have several files, such as
 * `tool/a.json` and `tool/a.js`, so the id of a file is found among the ids that exist.
 * @param exists whether there is a published document with this id and type now
 * @throws GitError if a commit is not in the repository
 */
export async function changedSince(
  directory: string,
  from: string,
  to: string,
  exists: (id: string, type: string) => boolean,
): Promise<ChangedDocument[]> {
  const fields = (await git(directory, ['diff', '--name-status', '--no-renames', '-z', from, to])).split('\0')
  const status = new Map<string, string>()
  for (let at = 0; at + 1 < fields.length; at += 2) status.set(fields[at + 1] ?? '', fields[at] ?? '')
  const found = new Map<string, ChangedDocument>()
  for (const path of status.keys()) {
    const [type = '', name, ...deeper] = path.split('/')
    if (name === undefined || deeper.length > 0) continue
    const id = prefixesOf(name).find((one) => exists(one, type) || status.get(`${type}/${one}.json`) === 'D')
    if (id !== undefined) found.set(id, {id, type, isNew: status.get(`${type}/${id}.json`) === 'A'})
  }
  return [...found.values()]
}

/** The parts of a file name that may be an id, the shortest first: `a.schema.json` may belong to `a`. */
function prefixesOf(name: string): string[] {
  const parts = name.split('.')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'))
}
