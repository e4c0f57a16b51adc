import {type Fixed, fixed} from '../../schemas/advice/fix.ts'
import {adviseSite} from '../../schemas/advice/site/site.ts'
import {adviseFormTool, adviseTool} from '../../schemas/advice/tool.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
import {SmallButton} from '../parts/smallButton.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'

const ADVISE = new Map([
  ['site', adviseSite],
  ['tool', adviseTool],
  ['formTool', adviseFormTool],
])

/** A button that does what a piece of advice says, where there is one right answer. */
export function FixButton({message}: {message: string}) {
  const {document, isReady, change} = useFormDocument()
  const found = findFix(document, message)
  if (found === undefined) return null
  const {field, value} = found.change
  return (
    <SmallButton
      data-testid="fix"
      disabled={!isReady}
      onClick={() => change({[field]: value})}
      text={found.title}
    />
  )
}

type Found = {readonly title: string; readonly change: Fixed}

function findFix(document: Fields, message: string): Found | undefined {
  const advise = ADVISE.get(textOf(document._type))
  const advice = advise?.(document).find((one) => one.message === message)
  const change = advice && fixed(advice, document)
  return change === undefined ? undefined : {title: advice?.fix?.title ?? '', change}
}
