import {TextInput} from '@sanity/ui'
import {Labelled} from './labelled.tsx'

type PathFieldProps = {
  path: string
  /** Suggestions. */
  paths: readonly string[]
  /** What to type. */
  hint: string
  onChange: (path: string) => void
}

/** A text field for the path of a page, which suggests paths of the site. */
export function PathField({path, paths, hint, onChange}: PathFieldProps) {
  return (
    <Labelled hint={hint} label="Page">
      {(id) => (
        <>
          <TextInput
            aria-describedby={`${id}-hint`}
            data-testid="page-path"
            id={id}
            list={`${id}-paths`}
            onChange={(event) => onChange(event.currentTarget.value)}
            placeholder="/"
            spellCheck={false}
            value={path}
          />
          <datalist id={`${id}-paths`}>
            {paths.map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
    </Labelled>
  )
}
