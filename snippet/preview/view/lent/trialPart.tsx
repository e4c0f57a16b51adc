import type {TrialModule, TrialProps} from '../../lent/lending.ts'
import {LENT} from '../../lent/lent.ts'
import {LentModule} from './lentModule.tsx'

/** Of the module, in its address, so that a stale copy in a cache is never used. The build inserts it. */
declare const TRIAL_HASH: string

/** What an agent gets of a request, which is loaded with the first request that is used. */
export function TrialPart(props: TrialProps) {
  return (
    <LentModule isNeeded={true} load={(attempt) => load(props.base, attempt)}>
      {(View) => <View {...props} />}
    </LentModule>
  )
}

async function load(base: string, attempt: number): Promise<ReturnType<TrialModule['trialView']>> {
  const module: TrialModule = await import(`${base}snippet.trial.js?${TRIAL_HASH}-${attempt}`)
  return module.trialView(LENT)
}
