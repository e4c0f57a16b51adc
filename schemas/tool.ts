import {type Declaration, inGroup, LANGUAGES, listing} from './document.ts'
import {folded} from './field.ts'
import {action} from './fields/action.ts'
import {annotations} from './fields/annotations.ts'
import {description} from './fields/description.ts'
import {enabled} from './fields/enabled.ts'
import {executeJs} from './fields/executeJs.ts'
import {exposedTo} from './fields/exposedTo.ts'
import {inputSchema} from './fields/inputSchema.ts'
import {link} from './fields/link.ts'
import {name} from './fields/name.ts'
import {offeredWhile} from './fields/offeredWhile.ts'
import {outputSchema} from './fields/outputSchema.ts'
import {pathPattern} from './fields/pathPattern.ts'
import {reading} from './fields/reading.ts'
import {request} from './fields/request.ts'
import {site} from './fields/site.ts'
import {tests} from './fields/tests.ts'
import {texts} from './fields/texts.ts'
import {title} from './fields/title.ts'

/** A tool that runs a script on the page. */
export const tool: Declaration = {
  name: 'tool',
  title: 'Tool',
  fields: [
    name,
    title,
    description,
    site,
    enabled,
    pathPattern,
    exposedTo,
    inGroup('pages', offeredWhile),
    action,
    request,
    reading,
    link,
    inputSchema,
    executeJs,
    outputSchema,
    annotations,
    inGroup('about', texts),
    tests,
  ],
  form: {
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
    ...listing('pathPattern', 'Path pattern'),
  },
}
