import {TrashIcon} from '@sanity/icons/Trash'
import {Button} from '@sanity/ui'
import type {ComponentProps} from 'react'

/** A button next to fields or in a row, with little room around its text. */
export function SmallButton(props: ComponentProps<typeof Button>) {
  return <Button fontSize={1} mode="ghost" padding={2} {...props} />
}

/** A button that removes the row in which it is. */
export function RemoveButton({label, onClick}: {label: string; onClick: () => void}) {
  return <SmallButton aria-label={label} icon={TrashIcon} mode="bleed" onClick={onClick} />
}
