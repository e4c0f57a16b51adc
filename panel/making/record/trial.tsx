import {useEffect, useState} from 'preact/hooks'
import {TIMEOUT_SECONDS} from '../../../actions/code/sentences.ts'
import type {ProposedTool} from '../../../making/exchange.ts'
import {applyResult, type ProposedResult, treeOf} from '../../../making/tree.ts'
import {agentGets, changesOf, requestOf, type TrialAnswer, type TrialRequest} from '../../../making/trial.ts'
import {messageOf} from '../../../snippet/messageOf.ts'
import {Text} from '../../parts/text.tsx'
import {answerIn, type Exchanges, type Recorded, USUAL_HEADERS} from './exchanges.ts'

/** A request of the page, and the tool that is made of it. */
export type TrialProps = {
  readonly recorded: Recorded
  readonly tool: ProposedTool
  /** The arguments with which it sends what the page sent. */
  readonly args: Readonly<Record<string, unknown>>
  /** Whether somebody has chosen what it returns. */
  readonly isComplete: boolean
  readonly unlisted: Exchanges['unlisted']
}

/**
 * What an agent gets: the request is sent once as the tool sends it. What may change something is sent only when a person
 * says so.
 */
export function Trial({recorded, tool, args, isComplete, unlisted}: TrialProps) {
  const made = outcomeOf(() => requestOf(tool, args, location.origin))
  const request = made.value
  const body = request?.body ?? ''
  const sent = JSON.stringify([request, typeof body === 'string' ? body : [...body]])
  const changes = changesOf(tool)
  const [asked, setAsked] = useState({sent: ''})
  const [tried, setTried] = useState<{sent: string; answer: TrialAnswer}>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same text is the same request.
  useEffect(() => {
    if (!request || (changes && asked.sent !== sent)) return
    const end = new AbortController()
    setTried(undefined)
    void send(request, unlisted, end.signal).then((answer) => {
      if (!end.signal.aborted) setTried({sent, answer})
    })
    return () => end.abort()
  }, [sent, changes, asked])
  const answer = tried?.sent === sent ? tried.answer : undefined
  const isWaiting = request && !answer && (!changes || asked.sent === sent)
  const outcome = answer ? outcomeOf(() => agentGets(tool, args, answer)) : {...made, value: undefined}
  const value = answer ? outcome.value : applyResult(recorded.exchange.answer, tool.request.result)
  return (
    <>
      <h3>What an agent gets</h3>
      <div role="status">
        {isWaiting && <p class="facts">Sending the request as the tool does…</p>}
        {request && !answer && !isWaiting && (
          <p>This request may change something, so it is not sent by itself. This is what the page got.</p>
        )}
        {outcome.error && <p class="problem">{failureOf(answer)}</p>}
        {(request ? differences(recorded, request, answer, tool.request.result) : []).map((sentence) => (
          <p key={sentence} class="note warning">
            {sentence}
          </p>
        ))}
      </div>
      {outcome.error ? (
        <Text value={outcome.error} label="What an agent gets" />
      ) : (
        isComplete && !isWaiting && <Text value={value} label="What an agent gets" />
      )}
      {request && !isWaiting && (changes || outcome.error) && (
        <p>
          <button type="button" onClick={() => setAsked({sent})}>
            {answer ? 'Send it again' : 'Send it now'}
          </button>
        </p>
      )}
    </>
  )
}

async function send(
  {address, ...init}: TrialRequest,
  unlisted: Exchanges['unlisted'],
  signal: AbortSignal,
): Promise<TrialAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000)
  try {
    const response = await unlisted(() =>
      fetch(address, {...init, signal: AbortSignal.any([signal, timeout])}),
    )
    const {status, url, redirected, headers} = response
    const contentType = headers.get('content-type') ?? ''
    return {status, contentType, text: await response.text(), url, redirected}
  } catch {
    return timeout.aborted ? 'slow' : 'unreached'
  }
}

/** What is busy may work the next time. */
function failureOf(answer: TrialAnswer | undefined): string {
  const {status} = typeof answer === 'object' ? answer : {status: 0}
  return status === 429 || status >= 500
    ? `The website was busy (${status}). Try again later.`
    : 'Fails every time: agents get this error.'
}

function outcomeOf<Value>(call: () => Value): {value?: Value; error?: string} {
  try {
    return {value: call()}
  } catch (error) {
    return {error: messageOf(error)}
  }
}

/** Why the tool gets something else than the page, as far as it can be told. */
function differences(
  {exchange, headers, status}: Recorded,
  request: TrialRequest,
  answer: TrialAnswer | undefined,
  result: ProposedResult,
): string[] {
  const difference = answer && differenceOf(answer, exchange.answer, status, result)
  const isSent = (name: string) => Object.keys(request.headers).some((own) => own.toLowerCase() === name)
  const unsent = [...new Map(headers.map((name) => [name.toLowerCase(), name]))]
    .filter(([name]) => !isSent(name) && (difference || !USUAL_HEADERS.test(name)))
    .map(([, name]) => name)
  const [which, them] = unsent.length > 1 ? ['headers', 'them'] : ['header', 'it']
  const names = new Intl.ListFormat('en').format(unsent)
  return [
    ...(difference ? [difference] : []),
    ...(names ? [`Your page adds the ${which} ${names}; this tool does not send ${them}.`] : []),
  ]
}

function differenceOf(
  answer: TrialAnswer,
  pageGot: unknown,
  status: number | undefined,
  result: ProposedResult,
): string | undefined {
  if (typeof answer === 'string') return 'The page got an answer, and the tool gets none.'
  if (answer.status !== status) return `The page got status ${status}, and the tool gets ${answer.status}.`
  const toolGets = answerIn(answer.text, answer.contentType)
  if (shapeOf(toolGets) === shapeOf(pageGot)) return undefined
  if (/html/i.test(answer.contentType)) return 'The tool gets a page instead of data.'
  // Such as a session of the page, which agents do not get either way.
  const chosen = (data: unknown) => shapeOf(JSON.parse(JSON.stringify(applyResult(data, result)) ?? 'null'))
  return chosen(toolGets) === chosen(pageGot) ? undefined : 'The tool gets other values than the page.'
}

/** The members of data: values may be others each time. */
function shapeOf(answer: unknown): string {
  return typeof answer === 'object'
    ? treeOf(answer)
        .rows.map(({path}) => path)
        .join()
    : typeof answer
}
