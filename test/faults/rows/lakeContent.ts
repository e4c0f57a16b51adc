import type {Fault} from '../fault.ts'

/** Faults in the documents, queries, writes, Git and history of `lake/`. */
export const LAKE_CONTENT: readonly Fault[] = [
  {
    name: 'a slow query has no limit of time',
    file: 'lake/query/run.ts',
    find: 'if (spent > milliseconds) throw tooSlow()',
    replace: '',
  },
  {
    name: 'the sync tags of a change ignore the state before',
    file: 'lake/query/tags.ts',
    find: 'for (const document of [before, after])',
    replace: 'for (const document of [after ?? before])',
  },
  {
    name: 'order() puts booleans before strings',
    file: 'lake/query/evaluate/values.ts',
    find: 'string: 3, boolean: 4',
    replace: 'string: 4, boolean: 3',
  },
  {
    name: 'equal items change places when many are sorted',
    file: 'lake/query/evaluate/lists/sort.ts',
    find: 'compare(other, item) < 0',
    replace: 'compare(other, item) <= 0',
  },
  {
    name: 'a sorted list keeps the old state of a document',
    file: 'lake/documents/indexes/sortedList.ts',
    find: 'if (before !== undefined) list.splice(',
    replace: 'if (before !== undefined && after === undefined) list.splice(',
  },
  {
    name: 'a file with the id of another document is served',
    file: 'lake/documents/parseDocument.ts',
    find: 'if (value._id !== id)',
    replace: 'if (value._id === undefined)',
  },
  {
    name: 'the revision of a document depends on the order of its attributes',
    file: 'lake/documents/canonical.ts',
    find: 'for (const key of Object.keys(value).sort())',
    replace: 'for (const key of Object.keys(value))',
  },
  {
    name: 'a patch increments twice',
    file: 'lake/write/patch/patch.ts',
    find: 'yield [path, inc(delta)]',
    replace: 'yield [path, inc(2 * delta)]',
  },
  {
    name: 'a patch inserts items before instead of after',
    file: 'lake/write/patch/operations.ts',
    find: "position === 'after' ? end : start",
    replace: "position === 'after' ? start : start",
  },
  {
    name: 'a repeated transaction is applied again',
    file: 'lake/write/doneTransactions.ts',
    find: 'return done?.effects',
    replace: 'return undefined',
  },
  {
    name: 'an author drafts a change to a document of another site',
    file: 'lake/write/checkRights.ts',
    find: "...(base === undefined ? [] : [['update', {...base, _id: id}] as const])",
    replace: "...(base === undefined ? [] : [['read', {...base, _id: id}] as const])",
  },
  {
    name: 'the one who requested a review approves it',
    file: 'lake/write/checkReviews.ts',
    find: 'if (review.by.id === principal.id || editors',
    replace: 'if (editors',
  },
  {
    name: 'a document is deleted although a changed one refers to it',
    file: 'lake/write/transaction/references.ts',
    find: '...(referrers.get(id) ?? [])',
    replace: '',
  },
  {
    name: 'a publication fails if somebody else committed',
    file: 'lake/write/writer.ts',
    find: '          await this.#refresh()\n',
    replace: '',
  },
  {
    name: 'the folders of a tree are in the wrong order',
    file: 'lake/git/objects/treeObject.ts',
    find: "key: Buffer.from(kind === 'folder' ?",
    replace: "key: Buffer.from(kind === 'tree' ?",
  },
  {
    name: 'the log shows a part of a password with an @',
    file: 'lake/git/remote/redact.ts',
    find: String.raw`[^/\s]*@`,
    replace: String.raw`[^/\s@]*@`,
  },
  {
    name: 'a push that failed is retried without a pause',
    file: 'lake/git/remote/remoteSync.ts',
    find: 'await wait(this.#pause(this.#failures), this.#closing.signal)',
    replace: 'await wait(0, this.#closing.signal)',
  },
  {
    name: 'a push that took too long is sent again while the remote works on it',
    file: 'lake/git/remote/remote.ts',
    find: 'this.#busyUntil = this.#now() + timeout',
    replace: '',
  },
  {
    name: 'a merge commits files that break a rule',
    file: 'lake/git/remote/merge.ts',
    find: 'if (broken.length > 0) throw conflict(broken)',
    replace: '',
  },
  {
    name: 'the history shows a document as it was before the change',
    file: 'lake/history/groupTimeline.ts',
    find: 'at <= index && revision !== undefined',
    replace: 'at < index && revision !== undefined',
  },
  {
    name: 'a commit with capitals in its address has an unknown author',
    file: 'lake/history/authors.ts',
    find: 'ids.get(email.toLowerCase())',
    replace: 'ids.get(email)',
  },
  {
    name: 'a deleted document is listed as created',
    file: 'lake/history/activity.ts',
    find: "blobs.get(path) === undefined ? 'deleted' : 'created'",
    replace: "blobs.get(path) === '' ? 'deleted' : 'created'",
  },
]
