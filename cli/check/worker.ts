import {parentPort} from 'node:worker_threads'
import {Layout} from '../../content/layout/layout.ts'
import type {FileContent} from '../../content/parseDocument.ts'
import type {DocumentFiles} from '../documents.ts'
import {type CheckedDocument, checkDocument} from './document.ts'

/** Documents to check. A buffer arrives as a Uint8Array. */
export type Task = {
  readonly number: number
  readonly layout: unknown
  readonly documents: readonly SentDocument[]
}
type SentDocument = {
  readonly key: DocumentFiles['key']
  readonly files: ReadonlyMap<string, Exclude<FileContent, Buffer> | Uint8Array>
}
/** The documents of the task with the same number. */
export type TaskResult = {readonly number: number; readonly checked: CheckedDocument[]}

// Started by `pool.ts`.
parentPort?.on('message', ({number, layout, documents}: Task) => {
  const parsed = Layout.of(layout)
  const result: TaskResult = {
    number,
    checked: documents.map((sent) => checkDocument(parsed, received(sent))),
  }
  parentPort?.postMessage(result)
})

function received({key, files}: SentDocument): DocumentFiles {
  const contents = Array.from(files, ([path, content]): [string, FileContent] => [path, bufferOf(content)])
  return {key, files: new Map(contents)}
}

function bufferOf(content: Exclude<FileContent, Buffer> | Uint8Array): FileContent {
  return typeof content === 'string'
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}
