import {Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import type {StringInputProps} from 'sanity'
import {hasAction, withScript} from '../../../actions/compile.ts'
import {ACTION_KINDS} from '../../../schemas/actions/action.ts'
import {BrokenRule, orBrokenRule} from '../../../schemas/rules/brokenRule.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {ConfirmDialog} from '../../parts/confirmDialog.tsx'
import {SmallButton} from '../../parts/smallButton.tsx'
import {useTool} from './useTool.ts'

/** What a tool does, with a way for programmers to go on with a script. */
export function ActionInput(props: StringInputProps) {
  const {tool, change} = useTool()
  const [isAsked, setIsAsked] = useState(false)
  const script = scriptOf(tool)
  const isScript = props.value === undefined && textOf(tool.executeJs) !== ''
  return (
    <Stack gap={3}>
      {/* Tools from before the choice have a script only. */}
      {props.renderDefault(isScript ? {...props, value: 'script'} : props)}
      {script !== undefined && props.readOnly !== true && (
        <SmallButton mode="bleed" onClick={() => setIsAsked(true)} text="Turn into a script" />
      )}
      {isAsked && script !== undefined && (
        <ConfirmDialog
          action="Turn into a script"
          onClose={() => setIsAsked(false)}
          onConfirm={() => change({executeJs: script, action: 'script'}, FIELDS)}
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

/** The script that the action comes to; undefined if there is none, or if the action breaks a rule. */
function scriptOf(tool: Parameters<typeof withScript>[0]): string | undefined {
  const scripted = hasAction(tool) ? orBrokenRule(() => withScript(tool)) : undefined
  const text = scripted instanceof BrokenRule ? undefined : scripted?.executeJs
  return typeof text === 'string' ? text : undefined
}
