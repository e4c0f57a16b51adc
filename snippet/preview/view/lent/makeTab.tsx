import type {ComponentChildren} from 'preact'
import type {MakeProps} from '../../lent/lending.ts'
import {LentModule} from './lentModule.tsx'
import {TrialPart} from './trialPart.tsx'

/** The build inserts it. */
declare const MAKE_HASH: string

/** The tab “Make a tool”. */
export function MakeTab(props: Omit<MakeProps, 'Trial'>) {
  return (
    <LentModule<(props: MakeProps) => ComponentChildren>
      isNeeded={props.isShown}
      address={`${props.base}snippet.make.js?${MAKE_HASH}`}
    >
      {(View) => <View {...props} Trial={TrialPart} />}
    </LentModule>
  )
}
