import {useEffect, useState} from 'preact/hooks'
import {slow, TIMEOUT_SECONDS} from '../../../actions/run/outcome.ts'
import {requestOf} from '../../../actions/run/request.ts'
import type {ProposedTool} from '../../../making/exchange.ts'
import {applyResult, type ProposedResult, treeOf} from '../../../making/tree.ts'
import {requestChanges} from '../../../schemas/rules/hints/effects.ts'
import {messageOf} from '../../../snippet/messageOf.ts'
import {Text} from '../../parts/text.tsx'
import {featuresOf, plannedOf, runOnPage} from '../run.ts'
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

/** What came back, or why nothing did. */
type Answer = {readonly response: Response; readonly text: string} | 'unreached' | 'slow'

type Outcome = {readonly value?: unknown; readonly error?: string}

/**
 * What an agent gets: the request is sent once as the tool sends it. What may change something is sent only when a person
 * says so.
 */
export function Trial({recorded, tool, args, isComplete, unlisted}: TrialProps) {
  const made = outcomeOf(() => {
    const planned = plannedOf(tool)
    return {
      planned,
      request: requestOf(
        planned.plan,
        args,
        {document, origin: location.origin},
        featuresOf(planned.features),
      ),
    }
  })
  const {planned, request} = made.value ?? {}
  const sent = request ? keyOf(request) : ''
  const shown = `${sent} ${JSON.stringify(tool.request.result)}`
  const changes = requestChanges({action: 'request', request: tool.request})
  const [asked, setAsked] = useState({sent: ''})
  const [tried, setTried] = useState<{sent: string; answer: Answer}>()
  const [got, setGot] = useState<{shown: string; outcome: Outcome}>()
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
  useEffect(() => {
    if (!planned || !answer) return
    const end = new AbortController()
    const came = async () => (typeof answer === 'string' ? Promise.reject() : answer.response.clone())
    const late = answer === 'slow' && slow(featuresOf(planned.features).column)
    void runOnPage(planned, args, came, end.signal)
      .then(
        (value) => ({value}),
        (error: unknown) => ({error: late || messageOf(error)}),
      )
      .then((outcome) => !end.signal.aborted && setGot({shown, outcome}))
    return () => end.abort()
  }, [answer, shown])
  const outcome = answer ? (got?.shown === shown ? got.outcome : undefined) : made
  const isWaiting = request && (answer ? !outcome : !changes || asked.sent === sent)
  const value = answer ? outcome?.value : applyResult(recorded.exchange.answer, tool.request.result)
  return (
    <>
      <h3>What an agent gets</h3>
      <div role="status">
        {isWaiting && <p class="facts">Sending the request as the tool does…</p>}
        {request && !answer && !isWaiting && (
          <p>This request may change something, so it is not sent by itself. This is what the page got.</p>
        )}
        {outcome?.error && <p class="problem">{failureOf(answer)}</p>}
        {(request ? differences(recorded, request.init, answer, tool.request.result) : []).map((sentence) => (
          <p key={sentence} class="note warning">
            {sentence}
          </p>
        ))}
      </div>
      {outcome?.error ? (
        <Text value={outcome.error} label="What an agent gets" />
      ) : (
        isComplete && !isWaiting && <Text value={value} label="What an agent gets" />
      )}
      {request && !isWaiting && (changes || outcome?.error) && (
        <p>
          <button type="button" onClick={() => setAsked({sent})}>
            {answer ? 'Send it again' : 'Send it now'}
          </button>
        </p>
      )}
    </>
  )
}

type Request = ReturnType<typeof requestOf>

function keyOf({address, init: {body, ...rest}}: Request): string {
  const text = body instanceof FormData || body instanceof URLSearchParams ? [...body] : body
  return JSON.stringify([address, rest, text])
}

async function send(
  {address, init}: Request,
  unlisted: Exchanges['unlisted'],
  signal: AbortSignal,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000)
  try {
    const response = await unlisted(() =>
      fetch(address, {...init, signal: AbortSignal.any([signal, timeout])}),
    )
    return {response, text: await response.clone().text()}
  } catch {
    return timeout.aborted ? 'slow' : 'unreached'
  }
}

/** What is busy may work the next time. */
function failureOf(answer: Answer | undefined): string {
  const {status} = typeof answer === 'object' ? answer.response : {status: 0}
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
  init: RequestInit,
  answer: Answer | undefined,
  result: ProposedResult,
): string[] {
  const difference = answer && differenceOf(answer, exchange.answer, status, result)
  const own = new Headers(init.headers)
  const unsent = [...new Map(headers.map((name) => [name.toLowerCase(), name]))]
    .filter(([name]) => !own.has(name) && (difference || !USUAL_HEADERS.test(name)))
    .map(([, name]) => name)
  const [which, them] = unsent.length > 1 ? ['headers', 'them'] : ['header', 'it']
  const names = new Intl.ListFormat('en').format(unsent)
  return [
    ...(difference ? [difference] : []),
    ...(names ? [`Your page adds the ${which} ${names}; this tool does not send ${them}.`] : []),
  ]
}

function differenceOf(
  answer: Answer,
  pageGot: unknown,
  status: number | undefined,
  result: ProposedResult,
): string | undefined {
  if (typeof answer === 'string') return 'The page got an answer, and the tool gets none.'
  const {response, text} = answer
  if (response.status !== status)
    return `The page got status ${status}, and the tool gets ${response.status}.`
  const contentType = response.headers.get('content-type') ?? ''
  const toolGets = answerIn(text, contentType)
  if (shapeOf(toolGets) === shapeOf(pageGot)) return undefined
  if (/html/i.test(contentType)) return 'The tool gets a page instead of data.'
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
