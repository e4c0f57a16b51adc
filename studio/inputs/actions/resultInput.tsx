import {Stack} from '@sanity/ui'
import {useState} from 'react'
import {type ObjectInputProps, set, useFormValue} from 'sanity'
import {isRecord} from '../../../schemas/record.ts'
import {SmallButton} from '../../parts/layout.tsx'
import {lazily} from '../../parts/lazily.tsx'

const AnswerTree = lazily(async () => (await import('./answerTree.tsx')).AnswerTree)

/** What a request returns: ticked in an answer of the server, or written. */
export function ResultInput(props: ObjectInputProps) {
  const [isOpen, setIsOpen] = useState(false)
  const request = useFormValue(props.path.slice(0, -1))
  return (
    <Stack gap={4}>
      {props.readOnly !== true && (
        <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} text="Choose from an answer" />
      )}
      {isOpen && (
        <AnswerTree
          onChoose={(result) => props.onChange(set({...result}))}
          request={isRecord(request) ? request : {}}
        />
      )}
      {props.renderDefault(props)}
    </Stack>
  )
}
