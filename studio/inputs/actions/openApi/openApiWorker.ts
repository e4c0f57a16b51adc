import {parseOpenApi} from '../../../../making/openApi.ts'
import {accept, type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'
import {loadFile} from './loadFile.ts'

/** The first message has the file, each further one the operation that is to become a tool. */
type Question =
  | {readonly source: Blob | string; readonly addresses: readonly string[]}
  | {readonly operation: string}

let api: ReturnType<typeof parseOpenApi> = refuse('The file was not read.')

addEventListener('message', async ({data, ports: [port]}: MessageEvent<Question>) => {
  port?.postMessage(await answerTo(data))
})

async function answerTo(question: Question): Promise<Parsed<unknown>> {
  if ('operation' in question) return api.ok ? api.value.toolOf(question.operation) : api
  const {source, addresses} = question
  const text = source instanceof Blob ? accept(await source.text()) : await loadFile(source)
  if (!text.ok) return text
  api = parseOpenApi(text.value, addresses)
  return api.ok ? accept(api.value.operations) : api
}
