import type {Parsed} from '../../../schemas/rules/parsed.ts'
import type {TypedPage} from '../../../schemas/rules/paths/page.ts'
import {Note} from '../note.tsx'
import {Field} from './field.tsx'

type PathFieldProps = {
  path: string
  /** Suggestions. */
  paths: readonly string[]
  /** What to know besides {@link PAGE_HINT}. */
  hint?: string
  onChange: (path: string) => void
}

/** What an editor can type into a field for a page. */
export const PAGE_HINT = 'A path such as /products/7, or the address of the page from your browser.'

/** Says what is wrong with a page that was typed, or that it is not on this site. Else nothing. */
export function PageNote({page}: {page: Parsed<TypedPage>}) {
  if (!page.ok) return <Note tone="critical">{page.problem}</Note>
  const {elsewhere, path} = page.value
  if (elsewhere === undefined) return null
  return (
    <Note tone="caution">
      {elsewhere} is not one of the addresses of this site. What follows is only true for the page {path} of
      this site. If its pages are at {elsewhere} too, add that address under Settings, Addresses.
    </Note>
  )
}

/** A text field for a page, which suggests paths of the site. */
export function PathField({path, paths, hint = '', onChange}: PathFieldProps) {
  return (
    <Field
      hint={`${PAGE_HINT} ${hint}`.trim()}
      label="Page"
      onChange={onChange}
      placeholder="/"
      spellCheck={false}
      suggestions={paths}
      testId="page-path"
      value={path}
    />
  )
}
