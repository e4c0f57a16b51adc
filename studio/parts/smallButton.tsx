import {AddIcon} from '@sanity/icons/Add'
import {TrashIcon} from '@sanity/icons/Trash'
import {Button} from '@sanity/ui'
import type {ComponentProps} from 'react'

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
