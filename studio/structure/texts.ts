import {defineLocaleResourceBundle} from 'sanity'

/** What Studio's lists say, in words that tell an editor what to do next. */
export const texts = defineLocaleResourceBundle({
  locale: 'en-US',
  namespace: 'structure',
  resources: {
    'panes.document-list-pane.no-documents-of-type.text': 'Nothing here yet. Add the first one with + above.',
    'panes.document-list-pane.no-matching-documents.text':
      'Nothing here yet. Add the first one with + above.',
    'panes.document-list-pane.no-documents.text': 'Nothing found.',
  },
})
