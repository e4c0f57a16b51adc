import {Button} from '@sanity/ui'
import {getPublishedId, useDocumentOperation, useFormValue} from 'sanity'
import {type Fixed, fixed} from '../../schemas/advice/fix.ts'
import {adviseSite} from '../../schemas/advice/site/site.ts'
import {adviseFormTool, adviseTool} from '../../schemas/advice/tool.ts'
import {isRecord} from '../../schemas/rules/json.ts'

const ADVISE = new Map([
  ['site', adviseSite],
  ['tool', adviseTool],
  ['formTool', adviseFormTool],
])

/** A button that does what a piece of advice says, where there is one right answer. */
export function FixButton({message}: {message: string}) {
  const document = useFormValue([])
  const found = findFix(document, message)
  const {id = '', type = ''} = found ?? {}
  const {patch} = useDocumentOperation(getPublishedId(id), type)
  if (found === undefined) return null
  const {field, value} = found.change
  return (
    <Button
      data-testid="fix"
      disabled={Boolean(patch.disabled)}
      fontSize={1}
      mode="ghost"
      onClick={() => patch.execute([{set: {[field]: value}}])}
      padding={2}
      text={found.title}
      type="button"
    />
  )
}

type Found = {readonly id: string; readonly type: string; readonly title: string; readonly change: Fixed}

function findFix(document: unknown, message: string): Found | undefined {
  if (!isRecord(document)) return undefined
  const {_id: id, _type: type} = document
  if (typeof id !== 'string' || typeof type !== 'string') return undefined
  const advice = ADVISE.get(type)?.(document).find((one) => one.message === message)
  const change = advice && fixed(advice, document)
  return change === undefined ? undefined : {id, type, title: advice?.fix?.title ?? '', change}
}
