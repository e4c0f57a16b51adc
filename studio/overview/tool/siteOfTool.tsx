import {Container} from '@sanity/ui'
import type {ReactNode} from 'react'
import type {UserViewComponent} from 'sanity/structure'
import type {CheckedSite} from '../../../advice/diagnosis/site.ts'
import {parseDocuments, type StoredDocument, siteOf} from '../../../schemas/documents.ts'
import {NotLoaded, useCheckedSite} from '../../live/useCheckedSite.tsx'
import {useRelease} from '../../live/useContent.ts'
import {Note} from '../../parts/layout.tsx'

/** What a view of a tool knows of its site. */
export type SiteOfTool = {
  readonly siteId: string
  readonly documentId: string
  readonly site: CheckedSite
  readonly documents: readonly StoredDocument[]
}

/**
 * A view next to the form of a tool or form tool, about its site.
 * @param without what it says of a tool that has no site
 */
export function viewOfTool(
  name: string,
  without: string,
  View: (props: SiteOfTool) => ReactNode,
): UserViewComponent {
  return function ToolView({document, documentId}) {
    const [displayed] = parseDocuments([document.displayed])
    const siteId = siteOf(displayed)
    const live = useCheckedSite(siteId, useRelease()?.name)
    return (
      <Container data-testid={name} width={1} paddingX={4} paddingY={5}>
        {siteId === undefined ? (
          <Note tone="caution">{without}</Note>
        ) : live.state === 'ready' ? (
          <View documentId={documentId} documents={live.documents} site={live.site} siteId={siteId} />
        ) : (
          <NotLoaded of={live} />
        )}
      </Container>
    )
  }
}
