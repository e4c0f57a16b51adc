import {useEffect, useRef, useState} from 'preact/hooks'
import {callOf, plannedOf, returnedOf} from '../../../actions/onPage.ts'
import {type RequestCall, requestOf, runRequest} from '../../../actions/run/request.ts'
import type {ProposedTool} from '../../../making/exchange.ts'
import {treeOf} from '../../../making/tree.ts'
import {requestChanges} from '../../../schemas/rules/hints/effects.ts'
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

/** What an agent gets. */
type Outcome = {readonly value?: unknown; readonly error?: string}

/** With what came, unless nothing did, and what a tool would get of the page's own answer. */
type Tried = Outcome & {
  readonly came?: {readonly response: Response; readonly text: string}
  readonly ofPage: Outcome
}

/**
 * What an agent gets: the request is sent once as the tool sends it. What may change something is sent only when a person
 * says so.
 */
export function Trial({recorded, tool, args, isComplete, unlisted}: TrialProps) {
  const changes = requestChanges({action: 'request', request: tool.request})
  const [asked, setAsked] = useState({sent: ''})
  const [tried, setTried] = useState<{shown: string; asked: object; outcome: Tried}>()
  const last = useRef<{sent: string; asked: object; came: Promise<Response>} | undefined>(undefined)
  const made = madeOf(tool, args)
  const {planned, request} = made
  const sent = request ? keyOf(request) : ''
  const shown = `${sent} ${JSON.stringify(tool.request.result)}`
  const isSent = !changes || asked.sent === sent
  useEffect(() => {
    if (!planned) return
    let isShown = true
    const {answer} = recorded.exchange
    const send: RequestCall['fetch'] = async (address, init) => {
      if (last.current?.sent !== sent || last.current.asked !== asked)
        last.current = {sent, asked, came: unlisted(() => fetch(address, init))}
      return (await last.current.came).clone()
    }
    const attempt = async (): Promise<Tried> => {
      const ofPage = await outcomeOf(() => returnedOf(planned, args, answer))
      if (!isSent) return {...ofPage, ofPage}
      const outcome = await outcomeOf(() => runRequest(callOf(planned, args, send)))
      const response = await last.current?.came.catch(() => undefined)
      const text = await response
        ?.clone()
        .text()
        .catch(() => undefined)
      return {...outcome, ofPage, ...(response && text !== undefined && {came: {response, text}})}
    }
    void attempt().then((outcome) => isShown && setTried({shown, asked, outcome}))
    return () => {
      isShown = false
    }
  }, [shown, isSent, asked])
  const isCurrent = tried?.shown === shown && tried.asked === asked
  const outcome: Outcome | undefined = planned ? (isCurrent ? tried.outcome : undefined) : made
  const ofPage = isCurrent ? tried.outcome.ofPage : undefined
  const came = isCurrent && isSent ? tried.outcome.came : undefined
  const isTried = isCurrent && isSent
  return (
    <>
      <h3>What an agent gets</h3>
      <div role="status">
        {!outcome && isSent && <p class="facts">Sending the request as the tool does…</p>}
        {request && !isSent && (
          <p>This request may change something, so it is not sent by itself. This is what the page got.</p>
        )}
        {outcome?.error && isSent && <p class="problem">{failureOf(came?.response.status)}</p>}
        {request &&
          differences(recorded, request.init, isTried && differenceOf(recorded, came, outcome, ofPage)).map(
            (sentence) => (
              <p key={sentence} class="note warning">
                {sentence}
              </p>
            ),
          )}
      </div>
      {outcome && (outcome.error || isComplete) && (
        <Text value={outcome.error ?? outcome.value} label="What an agent gets" />
      )}
      {request && outcome && (changes || outcome.error) && (
        <p>
          <button type="button" onClick={() => setAsked({sent})}>
            {isSent ? 'Send it again' : 'Send it now'}
          </button>
        </p>
      )}
    </>
  )
}

function madeOf(tool: ProposedTool, args: TrialProps['args']) {
  try {
    const planned = plannedOf({...tool})
    return {planned, request: requestOf(callOf(planned, args, fetch))}
  } catch (error) {
    return {error: messageOf(error)}
  }
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return {value: await call()}
  } catch (error) {
    return {error: messageOf(error)}
  }
}

function keyOf({address, init: {body, ...rest}}: ReturnType<typeof requestOf>): string {
  const text = body instanceof FormData || body instanceof URLSearchParams ? [...body] : body
  return JSON.stringify([address, rest, text])
}

/** What is busy may work the next time. */
function failureOf(status = 0): string {
  return status === 429 || status >= 500
    ? `The website was busy (${status}). Try again later.`
    : 'Fails every time: agents get this error.'
}

/** Why the tool gets something else than the page, as far as it can be told. */
function differences(
  {headers}: Recorded,
  init: RequestInit,
  difference: string | false | undefined,
): string[] {
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
  {exchange, status}: Recorded,
  came: Tried['came'],
  outcome: Outcome | undefined,
  ofPage: Outcome | undefined,
): string | undefined {
  if (!came) return 'The page got an answer, and the tool gets none.'
  const {response, text} = came
  if (response.status !== status)
    return `The page got status ${status}, and the tool gets ${response.status}.`
  const contentType = response.headers.get('content-type') ?? ''
  if (shapeOf(answerIn(text, contentType)) === shapeOf(exchange.answer)) return undefined
  if (/html/i.test(contentType)) return 'The tool gets a page instead of data.'
  // Such as a session of the page, which agents do not get either way.
  return shapeOf(outcome?.value) === shapeOf(ofPage?.value)
    ? undefined
    : 'The tool gets other values than the page.'
}

/** The members of data: values may be others each time. */
function shapeOf(answer: unknown): string {
  return typeof answer === 'object'
    ? treeOf(answer)
        .rows.map(({path}) => path)
        .join()
    : typeof answer
}
