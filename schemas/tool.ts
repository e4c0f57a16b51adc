import {BoltIcon} from '@sanity/icons/Bolt'
import {defineArrayMember, defineField, defineType} from '@sanity/types'
import {annotationsField} from './annotationsField.ts'
import {describeTool, orderings, sharedFields} from './fields.ts'
import {parseInputSchema} from './rules/inputSchema.ts'
import {parseOrigin, parseOrigins} from './rules/origin.ts'
import {parsePathPattern} from './rules/pathPattern.ts'
import {parseScript} from './rules/script.ts'
import {keeps} from './validation.ts'

const EXAMPLE_SCHEMA = {
  type: 'object',
  properties: {query: {type: 'string', description: 'What the visitor is looking for'}},
  required: ['query'],
}

const EXAMPLE_SCRIPT = `const answer = await fetch('/api/search?q=' + encodeURIComponent(args.query), {signal})
if (!answer.ok) throw new Error('The search answered ' + answer.status)
return answer.json()
`

/** A tool whose work is done by a script on the page. */
export const tool = defineType({
  name: 'tool',
  type: 'document',
  title: 'Tool',
  icon: BoltIcon,
  groups: [
    {name: 'about', title: 'About', default: true},
    {name: 'pages', title: 'Pages'},
    {name: 'work', title: 'What it does'},
    {name: 'hints', title: 'Hints'},
  ],
  fields: [
    ...sharedFields,
    defineField({
      name: 'pathPattern',
      type: 'string',
      title: 'Path pattern',
      group: 'pages',
      description:
        'The pages that offer the tool: "/cart" is that page, "/products/*" one level below, "/products/**" all below and itself, "/**" every page, "/{cart,checkout}" either.',
      initialValue: '/**',
      validation: (rule) => rule.required().custom(keeps(parsePathPattern)),
    }),
    defineField({
      name: 'exposedTo',
      type: 'array',
      title: 'Exposed to',
      group: 'pages',
      description:
        'Origins of embedded frames that may see the tool, such as "https://help.example.com". Empty is right for most sites.',
      of: [
        defineArrayMember({
          type: 'string',
          validation: (rule) => rule.required().custom(keeps(parseOrigin)),
        }),
      ],
      validation: (rule) => rule.custom(keeps(parseOrigins)),
    }),
    defineField({
      name: 'inputSchema',
      type: 'text',
      title: 'Input schema',
      rows: 12,
      group: 'work',
      description:
        'The arguments, in JSON Schema: an object with "properties". Describe each one, agents read that. {"type": "object", "properties": {}} takes none.',
      initialValue: JSON.stringify(EXAMPLE_SCHEMA, null, 2),
      validation: (rule) => rule.required().custom(keeps(parseInputSchema)),
    }),
    defineField({
      name: 'executeJs',
      type: 'text',
      title: 'Script',
      rows: 16,
      group: 'work',
      description:
        'Runs on the page when an agent calls the tool. It reads "args", hands "signal" on so that the call can be cancelled, may "await", and returns the result with "return".',
      initialValue: EXAMPLE_SCRIPT,
      validation: (rule) => rule.required().custom(keeps(parseScript)),
    }),
    annotationsField,
  ],
  orderings: [
    ...orderings,
    {name: 'pathPattern', title: 'Path pattern', by: [{field: 'pathPattern', direction: 'asc'}]},
  ],
  preview: {
    select: {name: 'name', pathPattern: 'pathPattern', enabled: 'enabled'},
    prepare: ({name, pathPattern, enabled}) => ({title: name, subtitle: describeTool(pathPattern, enabled)}),
  },
})
