import type {MakeModule, MakeProps} from '../../lent/lending.ts'
import {LENT, LentModule} from './lentModule.tsx'

/** Of the module, in its address, so that a stale copy in a cache is never used. The build inserts it. */
declare const MAKE_HASH: string

/** The tab “Make a tool”. */
export function MakeTab(props: MakeProps) {
  return (
    <LentModule isNeeded={props.isShown} load={(attempt) => load(props.base, attempt)}>
      {(View) => <View {...props} />}
    </LentModule>
  )
}

async function load(base: string, attempt: number): Promise<ReturnType<MakeModule['makeView']>> {
  const module: MakeModule = await import(`${base}snippet.make.js?${MAKE_HASH}-${attempt}`)
  return module.makeView(LENT)
}
