import {BoltIcon} from '@sanity/icons/Bolt'
import {defineField, defineType} from '@sanity/types'
import {actionFields, hasNoScript, requiresScript} from './fields/action.ts'
import {annotationsField} from './fields/annotations.ts'
import {LANGUAGES, languageTextsField} from './fields/languageTexts.ts'
import {offeredWhileField} from './fields/offeredWhile.ts'
import {folded, line, lines, listing, nameField, requires, sharedFields, textEntry} from './fields/shared.ts'
import {testsField} from './fields/tests.ts'
import {parseInputSchema} from './rules/inputSchema.ts'
import {parseTitle} from './rules/names/title.ts'
import {parseOrigin, parseOrigins} from './rules/origin.ts'
import {parsePathPattern} from './rules/paths/pathPattern.ts'
import {parseScript} from './rules/script.ts'
import {keeps} from './validation.ts'

/** The input schema of a tool without parameters. */
const NO_PARAMETERS = {type: 'object', properties: {}}

/** A tool that runs a script on the page. */
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
    {name: 'tests', title: 'Tests'},
  ],
  fieldsets: [
    folded('result', 'What it returns', 'For developers. Most tools do not need this.'),
    folded('frames', 'Frames of other sites'),
    LANGUAGES,
  ],
  fields: [
    nameField,
    line(
      'title',
      'Title',
      'What people read when an agent uses the tool, such as "Search our products". Leave this empty to use the name: "searchProducts" becomes "Search Products".',
      {
        group: 'about',
        validation: (rule) => rule.custom(keeps(parseTitle)),
      },
    ),
    ...sharedFields,
    line(
      'pathPattern',
      'Path pattern',
      'The pages that offer this tool. Paste the address of a page, or write a pattern: "/products/*" is all pages one level below, "/{cart,checkout}" two pages.',
      {group: 'pages', initialValue: '/**', validation: requires(parsePathPattern)},
    ),
    defineField({
      name: 'exposedTo',
      type: 'array',
      title: 'Exposed to',
      group: 'pages',
      fieldset: 'frames',
      description:
        'Other sites that may use this tool from a frame on your page, such as "https://help.example.com". Leave this empty unless you need it. An empty list means every document in the frame tree; Chromium then shows the tool only to documents of the page’s own origin.',
      of: [textEntry(parseOrigin)],
      validation: (rule) => rule.custom(keeps(parseOrigins)),
    }),
    offeredWhileField('pages'),
    ...actionFields,
    lines(
      'inputSchema',
      'Parameters',
      12,
      'What an agent passes to this tool, such as the words to search for. Describe each parameter, because agents read the descriptions. A tool that needs no input has no parameters. “JSON” shows them as JSON Schema.',
      {
        group: 'work',
        initialValue: JSON.stringify(NO_PARAMETERS, null, 2),
        validation: requires(parseInputSchema),
      },
    ),
    defineField({
      name: 'executeJs',
      type: 'text',
      title: 'Script',
      rows: 16,
      group: 'work',
      description:
        'Runs on the page when an agent calls this tool. Read the arguments from "args", pass "signal" to "fetch", and "return" the result. If there is none, return a sentence that says so. "await" works. Every visitor can read the script: never put a password or a key into it.',
      hidden: hasNoScript,
      validation: (rule) => [rule.custom(requiresScript), rule.custom(keeps(parseScript))],
    }),
    lines(
      'outputSchema',
      'Output schema',
      8,
      'What the script returns, as JSON Schema, such as {"type": "array", "items": {"type": "string"}}. Agents can use it to read the result, and some refuse a result that differs. May be empty.',
      {
        group: 'work',
        fieldset: 'result',
      },
    ),
    annotationsField,
    languageTextsField('about'),
    testsField,
  ],
  ...listing('pathPattern', 'Path pattern'),
})
