import type {ComponentChildren} from 'preact'

type TickProps = {
  isTicked: boolean
  tick: (isTicked: boolean) => void
  children: ComponentChildren
  hidden?: boolean
  'data-path'?: string
}

/** A box to tick, with its label. */
export function Tick({isTicked, tick, children, ...props}: TickProps) {
  return (
    <label>
      <input
        {...props}
        type="checkbox"
        checked={isTicked}
        onChange={({currentTarget}) => tick(currentTarget.checked)}
      />{' '}
      {children}
    </label>
  )
}

/** A choice of several, with one of them ticked or not. */
export function withTick(chosen: readonly string[], one: string, isTicked: boolean): string[] {
  return [...chosen.filter((other) => other !== one), ...(isTicked ? [one] : [])]
}
