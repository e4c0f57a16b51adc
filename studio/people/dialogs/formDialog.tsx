import {StudioDialog} from '../../parts/dialog.tsx'
import {SubmitForm, type SubmitFormProps} from '../submitForm.tsx'

export type FormDialogProps = SubmitFormProps & {title: string; onClose: () => void}

/** A form in a dialog. */
export function FormDialog({title, onClose, ...form}: FormDialogProps) {
  return (
    <StudioDialog header={title} id="people-form" onClose={onClose} width={1}>
      <SubmitForm {...form} onCancel={onClose} />
    </StudioDialog>
  )
}
