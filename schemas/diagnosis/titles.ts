import type {TitleOf} from './words.ts'

/**
 * The titles of fields, for programs without Studio's schema types. A test compares them with the schema types.
 */
export const FIELD_TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  site: {
    name: 'Name',
    enabled: 'Enabled',
    addresses: 'Addresses',
    hashRouter: 'Pages after “#”',
    publicId: 'Public ID',
    pollInterval: 'Poll interval',
    askBefore: 'Ask the visitor first',
    reportCalls: 'Count calls',
    reportAfterConsent: 'Only after consent',
    pageTools: 'Tools of the pages themselves',
    review: 'Review before publish',
  },
  tool: {
    name: 'Name',
    title: 'Title',
    description: 'Description',
    site: 'Site',
    enabled: 'Enabled',
    pathPattern: 'Path pattern',
    exposedTo: 'Exposed to',
    offeredWhile: 'Offered while',
    inputSchema: 'Parameters',
    action: 'What it does',
    request: 'Request',
    reading: 'Reading',
    link: 'Page to open',
    executeJs: 'Script',
    outputSchema: 'Output schema',
    annotations: 'Hints',
    texts: 'Other languages',
    tests: 'Tests',
  },
  formTool: {
    name: 'Name',
    description: 'Description',
    site: 'Site',
    enabled: 'Enabled',
    pagePath: 'Page path',
    selector: 'Selector',
    autosubmit: 'Submit without asking',
    fields: 'Fields',
    offeredWhile: 'Offered while',
    texts: 'Other languages',
    tests: 'Tests',
  },
}

/** The title of a field as forms in Studio show it. */
export const fieldTitle: TitleOf = (type, field) => FIELD_TITLES[type]?.[field] ?? field
