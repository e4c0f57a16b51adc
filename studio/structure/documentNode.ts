import type {DefaultDocumentNodeResolver} from 'sanity/structure'
import {lazily} from '../parts/lazily.tsx'

const ToolPagesView = lazily(async () => (await import('../overview/tool/view.tsx')).ToolPagesView)

/** Tools and form tools have a second view next to the form: the pages that offer them. */
export const documentNode: DefaultDocumentNodeResolver = (S, {schemaType}) =>
  schemaType === 'tool' || schemaType === 'formTool'
    ? S.document().views([
        S.view.form().title('Edit'),
        S.view.component(ToolPagesView).id('pages').title('Where it shows'),
      ])
    : S.document()
