import {HINTS} from '../schemas/rules/hints/annotations.ts'

/**
 * The titles of all fields in Studio. The schema has them too, but loading it takes Studio's packages, which an
 * installation for production does not have. A test compares the two.
 */
const SHARED = {name: 'Name', description: 'Description', site: 'Site', enabled: 'Enabled', tests: 'Tests'}

const TITLES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'site',
    new Map(
      Object.entries({
        name: 'Name',
        enabled: 'Enabled',
        addresses: 'Addresses',
        publicId: 'Public ID',
        pollInterval: 'Poll interval',
        askBefore: 'Ask the visitor first',
        review: 'Review before publish',
      }),
    ),
  ],
  [
    'tool',
    new Map(
      Object.entries({
        ...SHARED,
        title: 'Title',
        pathPattern: 'Path pattern',
        inputSchema: 'Parameters',
        outputSchema: 'Output schema',
        action: 'What it does',
        request: 'Request',
        reading: 'Reading',
        link: 'Page to open',
        executeJs: 'Script',
        exposedTo: 'Exposed to',
        annotations: 'Hints',
      }),
    ),
  ],
  [
    'formTool',
    new Map(
      Object.entries({
        ...SHARED,
        pagePath: 'Page path',
        selector: 'Selector',
        autosubmit: 'Submit without asking',
        fields: 'Fields',
      }),
    ),
  ],
])

/** The types of documents that Handrail knows. */
export const TYPES = [...TITLES.keys()]

/** The title of a field in Studio; the field's own name if it has none. */
export function titleOf(type: string, field: string): string {
  const [name = ''] = field.split('.')
  const hint = HINTS.find((known) => field === `annotations.${known}`)
  return hint ?? TITLES.get(type)?.get(name) ?? name
}

/** The names of a type's fields. */
export function fieldsOf(type: string): string[] {
  return [...(TITLES.get(type)?.keys() ?? [])]
}
