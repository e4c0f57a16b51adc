import {type DiffComponent, DiffString, type StringDiff} from 'sanity'
import {styled} from 'styled-components'
import {tool} from '../../../schemas/tool.ts'

/** The fields of documents that hold code. */
export const CODE_FIELDS = tool.fields.flatMap(({name, file}) => (file === undefined ? [] : [name]))

const Code = styled.pre`
  font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  margin: 0;
  overflow-wrap: anywhere;
  white-space: pre-wrap;

  /* Sanity sets the font of what was added and removed. */
  & * {
    font: inherit;
  }
`

/** A change of code in "Review changes": in a code font, with its lines. */
export const CodeDiff: DiffComponent<StringDiff> = ({diff}) => (
  <Code data-testid="code-diff">
    <DiffString diff={diff} />
  </Code>
)
