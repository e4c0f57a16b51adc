import {AddIcon} from '@sanity/icons/Add'
import {TrashIcon} from '@sanity/icons/Trash'
import {Box, Button, Card, type CardTone, Container, Heading, Stack, Text} from '@sanity/ui'
import {Children, type ComponentProps, type ReactNode} from 'react'

const AT_START = {marginInline: 0}

/** A column of a readable width, at the start of the page. */
export function Column({testId, children}: {testId: string; children: ReactNode}) {
  return (
    <Container data-testid={testId} style={AT_START} width={2}>
      {children}
    </Container>
  )
}

/** What is shown when somebody opens it. */
export function Details({title, children}: {title: string; children: ReactNode}) {
  return (
    <details>
      <summary style={{listStylePosition: 'outside', marginInlineStart: '1em'}}>
        <Text as="span" size={1} style={{display: 'inline-block', transform: 'none'}}>
          {title}
        </Text>
      </summary>
      <Box paddingTop={3}>{children}</Box>
    </details>
  )
}

/** A status message. */
export function Note({tone = 'default', children}: {tone?: CardTone; children: ReactNode}) {
  return (
    <Card border padding={3} radius={2} role="status" tone={tone}>
      <Text size={1}>{children}</Text>
    </Card>
  )
}

/** Text that explains what it is next to. */
export function Muted({children}: {children: ReactNode}) {
  return (
    <Text muted size={1}>
      {children}
    </Text>
  )
}

/** A name, or the title of what is below it. */
export function Strong({id, children}: {id?: string; children: ReactNode}) {
  return (
    <Text id={id} size={1} weight="medium">
      {children}
    </Text>
  )
}

type RowsProps = {
  label?: string
  testId?: string
  /** One element for each row, with a key. */
  children: ReactNode
}

/** A list with a line between its rows. */
export function Rows({label, testId, children}: RowsProps) {
  return (
    <Card border overflow="hidden" radius={2}>
      <Stack aria-label={label} as="ul" data-testid={testId}>
        {Children.map(children, (row, index) => (
          <Card as="li" borderTop={index > 0} padding={3}>
            {row}
          </Card>
        ))}
      </Stack>
    </Card>
  )
}

type SectionProps = {title: string; text?: string; testId?: string; children: ReactNode}

/** One section of a pane or a page. */
export function Section({title, text, testId, children}: SectionProps) {
  return (
    <Stack data-testid={testId} gap={4}>
      <Stack gap={3}>
        <Heading as="h2" size={1}>
          {title}
        </Heading>
        {text !== undefined && <Muted>{text}</Muted>}
      </Stack>
      {children}
    </Stack>
  )
}

/** In a stack, a button is as wide as its text. */
const AS_WIDE_AS_TEXT = {justifySelf: 'start'}

/** A button of a pane or a dialog, next to its texts. */
export function PaneButton(props: ComponentProps<typeof Button>) {
  return <Button fontSize={1} mode="ghost" style={AS_WIDE_AS_TEXT} {...props} />
}

/** A button next to fields or in a row, with little room around its text. */
export function SmallButton(props: ComponentProps<typeof Button>) {
  return <PaneButton padding={2} {...props} />
}

/** A button that removes the row in which it is. */
export function RemoveButton({label, onClick}: {label: string; onClick: () => void}) {
  return <SmallButton aria-label={label} icon={TrashIcon} mode="bleed" onClick={onClick} />
}

type AddButtonProps = {text: string; testId?: string; onClick: () => void}

/** A button that adds a row, below the rows. */
export function AddButton({text, testId, onClick}: AddButtonProps) {
  return <SmallButton data-testid={testId} icon={AddIcon} onClick={onClick} text={text} />
}
