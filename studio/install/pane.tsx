import {Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {useEditState} from 'sanity'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {bookmarklet} from '../../snippet/previewLink.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {CopyText} from '../parts/copyText.tsx'
import {Column, Details, Muted, Note, Section} from '../parts/layout.tsx'
import {serviceOrigin} from '../running.ts'
import {fetchSnippetBuild} from './service.ts'
import {addressWithSite, latestTag, pinnedTag, policyOf, type TaggedSite} from './tags.ts'
import {Trial} from './trial.tsx'

type InstallPaneProps = {
  siteId: string
  /** Says whether pages ask for their tools. */
  visits: ReactNode
}

/** Shows what to add to a site's pages, and whether it works. */
export function InstallPane({siteId, visits}: InstallPaneProps) {
  const {ready, draft, published} = useEditState(siteId, 'site')
  if (!ready) return null
  const document = published ?? draft
  const publicId = parsePublicId(document?.publicId)
  return (
    <Column testId="install-pane">
      {publicId.ok ? (
        <Stack gap={6}>
          {published === null && (
            <Note tone="caution">
              This site is not published yet. Publish it under Settings: until then, pages get no tools.
            </Note>
          )}
          <Tags
            site={{publicId: publicId.value, hasHashRouter: document?.hashRouter === true}}
            visits={visits}
          />
        </Stack>
      ) : (
        <Note tone="caution">This site has no valid public ID. {publicId.problem}</Note>
      )}
    </Column>
  )
}

function Tags({site, visits}: {site: TaggedSite; visits: ReactNode}) {
  return (
    <>
      <Trial />
      <Section
        title="Script tag"
        text="Add it to the HTML of every page, once. It gives each page its own tools and follows what you publish here."
      >
        <CopyText name="tag" text={latestTag(serviceOrigin, site)} />
      </Section>
      {visits}
      <Details title="Panel, Content-Security-Policy, tag managers, and a script that cannot change">
        <Stack gap={6}>
          <Section
            title="Panel"
            text="A panel on the page lists its tools, says why others are missing, and lets you try them. “Open the page with drafts” in the menu of a tool opens it. To open it without Studio, add a bookmark with this text as its address, and choose the bookmark on a page with the script tag. It shows what is published."
          >
            <CopyText name="bookmarklet" text={bookmarklet()} />
            <Muted>On a website for tests, this tag shows the panel to everyone:</Muted>
            <CopyText name="panel" text={latestTag(serviceOrigin, site, ' data-panel')} />
          </Section>
          <Section
            title="Content-Security-Policy"
            text="If your pages send a Content-Security-Policy, allow the service in it. If it allows scripts by nonce, add the page's nonce to the tag instead of a script-src. 'unsafe-eval' is not needed."
          >
            <CopyText name="policy" text={policyOf(serviceOrigin)} />
          </Section>
          <Section
            title="Tag managers, and tools that are there sooner"
            text="Tag managers and some plugins remove data-site. Use this address for the script then: it names the site too."
          >
            <CopyText name="address" text={addressWithSite(serviceOrigin, site)} />
            <Muted>
              If your template knows the path of its page, add this tag above the script tag, with the path in
              place of PATH, encoded: %2Fproducts. The browser then requests the tools together with the
              script.
            </Muted>
            <CopyText
              name="preload"
              text={`<link rel="preload" as="fetch" crossorigin href="${serviceOrigin}/api/sites/${site.publicId}/config?path=PATH">`}
            />
          </Section>
          <Pinned site={site} />
        </Stack>
      </Details>
    </>
  )
}

function Pinned({site}: {site: TaggedSite}) {
  const build = useAnswer(fetchSnippetBuild)
  return (
    <Section
      title="Script tag with integrity"
      text="For pages that must not run a script that can change. The tag works with one version of the snippet only: after an upgrade of the service, your pages have no tools until they have a new tag from here."
    >
      {build.state === 'answered' ? (
        <CopyText name="pinned" text={pinnedTag(serviceOrigin, site, build.value)} />
      ) : (
        <NotLoaded of={build} />
      )}
    </Section>
  )
}
