import {Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import type {StringInputProps} from 'sanity'
import {compile, plannedAction} from '../../../actions/compile.ts'
import type {Planned} from '../../../actions/plan.ts'
import {ACTION_KINDS} from '../../../schemas/actions/action.ts'
import {BrokenRule, orBrokenRule} from '../../../schemas/rules/parsed.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {ConfirmDialog} from '../../parts/dialog.tsx'
import {SmallButton} from '../../parts/layout.tsx'
import {useTool} from './useTool.ts'

/** What a tool does, with a way for programmers to go on with a script. */
export function ActionInput(props: StringInputProps) {
  const {tool, change} = useTool()
  const [isAsked, setIsAsked] = useState(false)
  const planned = plannedOf(tool)
  const isScript = props.value === undefined && textOf(tool.executeJs) !== ''
  return (
    <Stack gap={3}>
      {/* Tools from before the choice have a script only. */}
      {props.renderDefault(isScript ? {...props, value: 'script'} : props)}
      {planned !== undefined && props.readOnly !== true && (
        <SmallButton mode="bleed" onClick={() => setIsAsked(true)} text="Turn into a script" />
      )}
      {isAsked && planned !== undefined && (
        <ConfirmDialog
          action="Turn into a script"
          onClose={() => setIsAsked(false)}
          onConfirm={async () => change({executeJs: await scriptOf(planned), action: 'script'}, FIELDS)}
          title="Turn into a script"
        >
          <Text size={1}>
            The tool keeps doing the same, as a script that only programmers can change. The way back is the
            history of the document.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  )
}

const FIELDS = ACTION_KINDS.filter((kind) => kind !== 'script')

/** What runs of the action; undefined if there is none, or if the action breaks a rule. */
function plannedOf(tool: Parameters<typeof plannedAction>[0]): Planned | undefined {
  const planned = orBrokenRule(() => plannedAction(tool))
  return planned instanceof BrokenRule ? undefined : planned
}

/** The data of the action, and the functions that run it, for people to go on with. */
async function scriptOf(planned: Planned): Promise<string> {
  const {buildLibrary} = await import('../../../actions/build/build.ts')
  return compile(planned, buildLibrary({isReadable: true}), true)
}
