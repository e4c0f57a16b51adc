import {defineLocaleResourceBundle} from 'sanity'
import {REACHES_PAGES} from '../install/freshness.ts'

/** Texts of Sanity in the words of this Studio. They tell editors what to do next. */
export const texts = [
  defineLocaleResourceBundle({
    locale: 'en-US',
    namespace: 'structure',
    resources: {
      'panes.document-list-pane.no-documents-of-type.text':
        'Nothing here yet. Add the first one with + above.',
      'panes.document-list-pane.no-matching-documents.text':
        'Nothing here yet. Add the first one with + above.',
      'panes.document-list-pane.no-documents.text': 'Nothing found.',
      // Of a site too, and of a tool that is switched off.
      'panes.document-operation-results.operation-success_publish': `<Strong>{{title}}</Strong> was published. ${REACHES_PAGES}`,
    },
  }),
  defineLocaleResourceBundle({
    locale: 'en-US',
    namespace: 'validation',
    resources: {
      // Only tools have references: to their sites.
      'object.reference-not-published':
        'This site is not published yet. Publish it first: open the site, then “Settings”.',
    },
  }),
  defineLocaleResourceBundle({
    locale: 'en-US',
    namespace: 'copy-paste',
    resources: {
      // A tool keeps its site.
      'copy-paste.on-paste.validation.partial-warning.title': 'Pasted, with exceptions',
      'copy-paste.on-paste.validation.read-only-fields-skipped.description':
        'These fields keep their values: {{fieldNames}}',
    },
  }),
]
