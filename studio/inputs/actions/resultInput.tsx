import {Button, Flex, Stack} from '@sanity/ui'
import {useState} from 'react'
import {type ObjectInputProps, set} from 'sanity'
import {lazily} from '../../parts/lazily.tsx'

const AnswerTree = lazily(async () => (await import('./answerTree.tsx')).AnswerTree)

/** What a request returns: ticked in an answer of the server, or written. */
export function ResultInput(props: ObjectInputProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Stack gap={4}>
      {props.readOnly !== true && (
        <Flex>
          <Button
            aria-expanded={isOpen}
            fontSize={1}
            mode="ghost"
            onClick={() => setIsOpen(!isOpen)}
            padding={2}
            text="Choose from an answer"
            type="button"
          />
        </Flex>
      )}
      {isOpen && <AnswerTree onChoose={(result) => props.onChange(set({...result}))} />}
      {props.renderDefault(props)}
    </Stack>
  )
}
