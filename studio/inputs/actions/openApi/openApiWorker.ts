import {parseOpenApi} from '../../../../schemas/making/openApi.ts'
import {isRecord} from '../../../../schemas/rules/json.ts'
import {accept, type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'
import {loadFile} from './loadFile.ts'

/** The first message has the file, each further one the operation that is to become a tool. */
let api: ReturnType<typeof parseOpenApi> | undefined

addEventListener('message', ({data}: MessageEvent<unknown>) => {
  if (!isRecord(data)) return
  if (api === undefined) void open(data).then(postMessage)
  else postMessage(toolOf(String(data.operation)))
})

async function open({source, addresses}: Record<string, unknown>): Promise<Parsed<unknown>> {
  const text = source instanceof Blob ? accept(await source.text()) : await loadFile(String(source))
  if (!text.ok) return text
  const parsed = parseOpenApi(
    text.value,
    Array.isArray(addresses) ? addresses.filter((address) => typeof address === 'string') : [],
  )
  api = parsed
  return parsed.ok ? accept(parsed.value.operations) : parsed
}

function toolOf(operation: string): Parsed<unknown> {
  return api?.ok ? api.value.toolOf(operation) : refuse('The file was not read.')
}
