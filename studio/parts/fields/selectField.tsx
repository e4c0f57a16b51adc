import {Choice, type ChoiceProps} from './choice.tsx'
import {Labelled} from './labelled.tsx'

/** A list to choose from, with its label. Several stand in one line if there is room. */
export function SelectField({label, ...choice}: Omit<ChoiceProps, 'id'> & {label: string}) {
  return (
    <Labelled label={label} style={{flex: 1, minWidth: '12em'}}>
      {(id) => <Choice {...choice} id={id} />}
    </Labelled>
  )
}
