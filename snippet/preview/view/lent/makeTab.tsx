import type {MakeModule, MakeProps} from '../../lent/lending.ts'
import {LENT} from '../../lent/lent.ts'
import {LentModule} from './lentModule.tsx'
import {TrialPart} from './trialPart.tsx'

/** Of the module, in its address, so that a stale copy in a cache is never used. The build inserts it. */
declare const MAKE_HASH: string

/** The tab “Make a tool”. */
export function MakeTab(props: Omit<MakeProps, 'Trial'>) {
  return (
    <LentModule isNeeded={props.isShown} load={(attempt) => load(props.base, attempt)}>
      {(View) => <View {...props} Trial={TrialPart} />}
    </LentModule>
  )
}

async function load(base: string, attempt: number): Promise<ReturnType<MakeModule['makeView']>> {
  const module: MakeModule = await import(`${base}snippet.make.js?${MAKE_HASH}-${attempt}`)
  return module.makeView(LENT)
}
