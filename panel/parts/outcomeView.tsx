import {isRecord} from '../../schemas/record.ts'
import {UNANSWERED} from '../../snippet/webmcp.ts'
import {dataFor} from '../../verdicts/judge.ts'
import {mismatchOf} from '../../verdicts/outputSchema.ts'
import type {Call} from '../calls.ts'
import {Text} from './text.tsx'

/** Characters of a result that Chrome recommends at most (https://developer.chrome.com/docs/ai/webmcp). */
const RECOMMENDED_LENGTH = 1_500

/** Of a page that prevents the submission of a form. What Chromium says is for programmers of the page. */
const NO_ANSWER =
  'This page sends the form itself and does not say what came of it: it would have to call respondWith(), see “Form tools” in the docs.'

/** What became of a call. */
export function OutcomeView({call: {outcome, duration, tool}}: {call: Call}) {
  const time =
    duration === undefined ? '' : `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} ms`
  switch (outcome.kind) {
    case 'running':
      return <p>Running…</p>
    case 'stopped':
      return <p>Stopped.</p>
    case 'unknown':
      return <p>Called. The browser does not say with which arguments, nor what was returned.</p>
    case 'error':
      return (
        <>
          <p class="problem">
            <strong>Error{outcome.line && ` in line ${outcome.line.number}`}:</strong> {outcome.message}
          </p>
          {outcome.line && (
            <Text value={outcome.line.text} label={`Line ${outcome.line.number} of the script of ${tool}`} />
          )}
          {/without also calling respondWith/.test(outcome.message) && (
            <p class="problem">{NO_ANSWER} Agents are told that it failed.</p>
          )}
          <p class="facts">{time}</p>
        </>
      )
    case 'result': {
      const {value, outputSchema} = outcome
      const mismatch = isRecord(outputSchema) ? mismatchOf(dataFor(value), outputSchema) : undefined
      const difference = mismatch !== undefined && (
        <p class="problem">{mismatch} Some agents refuse such a result.</p>
      )
      if (value === undefined)
        return (
          <>
            <p>
              Returned nothing. <span class="facts">{time}</span>
            </p>
            {difference}
          </>
        )
      const length = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length
      return (
        <>
          {value === UNANSWERED && <p class="problem">{NO_ANSWER} Agents are told only this:</p>}
          <Text value={value} label={`Result of ${tool}`} />
          {difference}
          <p class={length > RECOMMENDED_LENGTH ? 'facts problem' : 'facts'}>
            {length.toLocaleString('en')} of {RECOMMENDED_LENGTH.toLocaleString('en')} characters that Chrome
            recommends at most · {time}
          </p>
        </>
      )
    }
  }
}
