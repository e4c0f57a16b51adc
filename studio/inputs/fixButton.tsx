import {fixed} from '../../advice/fix.ts'
import {adviseDocument} from '../../advice/tool.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {SmallButton} from '../parts/smallButton.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'

/** A button that does what a piece of advice says, where there is one right answer. */
export function FixButton({message}: {message: string}) {
  const {document, isReady, change} = useFormDocument()
  const advice = adviseDocument(textOf(document._type), document).find((one) => one.message === message)
  const fields = advice && fixed(advice, document)
  if (fields === undefined) return null
  const {field, value} = fields
  return (
    <SmallButton
      data-testid="fix"
      disabled={!isReady}
      onClick={() => change({[field]: value})}
      text={advice?.fix?.title}
    />
  )
}
