import {field} from '../field.ts'
import {parsePageTools} from '../rules/names/toolName.ts'
import {TOOL_NAME} from './name.ts'

export const pageTools = field({
  name: 'pageTools',
  type: 'array',
  title: 'Tools of the pages themselves',
  description:
    'Names of tools that your pages have without Handrail, such as those of the shop system. “Tell Studio about them” in the panel on a page adds them here. Studio warns of a tool of yours with the same name. Visitors and agents do not see this list.',
  entry: {type: 'string', schema: TOOL_NAME},
  schema: {uniqueItems: true, maxItems: 200},
  form: {
    options: {layout: 'tags'},
    // The panel on a page adds them, so that people need not type them.
    hidden: ({value}) => !Array.isArray(value) || value.length === 0,
  },
  parse: parsePageTools,
})
