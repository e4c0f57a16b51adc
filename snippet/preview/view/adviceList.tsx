import type {Advice} from '../answer.ts'

/** What is probably wrong with a tool, and what to do about it. */
export function AdviceList({advice}: {advice: readonly Advice[]}) {
  if (advice.length === 0) return null
  return (
    <ul class="advice">
      {advice.map(({severity, message, line}) => (
        <li key={message} class={severity}>
          {line !== undefined && <strong>Line {line}: </strong>}
          {message}
        </li>
      ))}
    </ul>
  )
}
