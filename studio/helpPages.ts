/** Where the lake serves the guides for editors. */
export const HELP_PATH = '/help'

/** Where a Studio of hosted Sanity has them: Sanity serves no other files. */
export const HOSTED_HELP_PATH = '/static/help'

/** A guide for editors, a page of `docs/`. */
type HelpPage = {
  /** The name of its file, without `.md`. */
  readonly name: string
  readonly title: string
  /** What is in it. */
  readonly about: string
  /** Whether it is about what only a lake has. */
  readonly isOfLake?: boolean
}

/** The guides that editors need, in the order in which they are listed. */
export const HELP_PAGES: readonly HelpPage[] = [
  {name: 'making-tools', title: 'Making tools', about: 'tools made on your page, without code'},
  {name: 'tools', title: 'Tools', about: 'their fields, scripts, path patterns and hints'},
  {name: 'forms', title: 'Form tools', about: 'tools without a script, for forms on your pages'},
  {name: 'preview', title: 'Preview', about: 'your pages with drafts, and the panel that calls tools'},
  {name: 'advice', title: 'Advice', about: 'what the warnings next to fields mean'},
  {
    name: 'review',
    title: 'Review',
    about: 'a second person looks at a change before it is published',
    isOfLake: true,
  },
  {name: 'releases', title: 'Releases', about: 'several changes published together, now or at a time'},
  {name: 'tool-tests', title: 'Tests of tools', about: 'what tests can expect, and how they run'},
  {name: 'rights', title: 'Rights', about: 'who may do what', isOfLake: true},
  {
    name: 'people',
    title: 'People',
    about: 'accounts, passwords, sign-in links and the audit log',
    isOfLake: true,
  },
  {
    name: 'privacy',
    title: 'Privacy',
    about: 'what pages send when they count calls, and what you tell visitors',
  },
  {name: 'browsers', title: 'Browsers', about: 'what the script tag needs, for those who build your pages'},
  {name: 'glossary', title: 'Glossary', about: 'what the words mean'},
]
