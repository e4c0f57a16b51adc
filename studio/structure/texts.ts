import {defineLocaleResourceBundle} from 'sanity'

/** Texts of empty lists in Studio, with what editors can do next. */
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
