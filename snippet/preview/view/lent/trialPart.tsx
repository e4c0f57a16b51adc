import type {ComponentChildren} from 'preact'
import type {TrialProps} from '../../lent/lending.ts'
import {LentModule} from './lentModule.tsx'

/** The build inserts it. */
declare const TRIAL_HASH: string

/** What an agent gets of a request, which is loaded with the first request that is used. */
export function TrialPart(props: TrialProps) {
  return (
    <LentModule<(props: TrialProps) => ComponentChildren>
      isNeeded
      address={`${props.base}snippet.trial.js?${TRIAL_HASH}`}
    >
      {(View) => <View {...props} />}
    </LentModule>
  )
}
