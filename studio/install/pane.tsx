import {Container, Stack} from '@sanity/ui'
import {useCallback} from 'react'
import {useEditState} from 'sanity'
import type {UserComponent} from 'sanity/structure'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {Check} from './check.tsx'
import {CopyText, Note, Section} from './parts.tsx'
import {fetchSnippetBuild, type SnippetBuild} from './service.ts'
import {latestTag, pinnedTag, policyOf} from './tags.ts'
import {type Answer, useAnswer} from './useAnswer.ts'

/** Shows what to add to a site's pages, and whether it works. */
export const InstallPane: UserComponent = ({options}) => {
  const siteId = textOf(options?.siteId)
  const origin = textOf(options?.serviceOrigin)
  const {ready, draft, published} = useEditState(siteId, 'site')
  const build = useAnswer(useCallback((signal: AbortSignal) => fetchSnippetBuild(origin, signal), [origin]))
  if (!ready) return null
  const publicId = parsePublicId((published ?? draft)?.publicId)
  return (
    <Container width={1} paddingX={4} paddingY={5}>
      {publicId.ok ? (
        <Stack gap={6}>
          <Section
            title="Script tag"
            text="Goes into the HTML of every page, once. It brings each page its own tools, and follows what is published here."
          >
            <CopyText name="tag" text={latestTag(origin, publicId.value)} />
          </Section>
          <Check origin={origin} publicId={publicId.value} publishedRevision={published?._rev} />
          <Policy origin={origin} />
          <Pinned origin={origin} publicId={publicId.value} build={build} />
          <Trial build={build} />
        </Stack>
      ) : (
        <Note tone="caution">This site has no public ID that a page could name. {publicId.problem}</Note>
      )}
    </Container>
  )
}

function Policy({origin}: {origin: string}) {
  return (
    <Section
      title="Content-Security-Policy"
      text="If your pages send one, let it allow the service. Where it names scripts by a nonce, give the tag the page's nonce instead of a script-src. No 'unsafe-eval' is needed."
    >
      <CopyText name="policy" text={policyOf(origin)} />
    </Section>
  )
}

function Pinned(props: {origin: string; publicId: string; build: Answer<SnippetBuild>}) {
  const {origin, publicId, build} = props
  return (
    <Section
      title="Script tag with integrity"
      text="For pages that run no script that may change. It names one build of the snippet: when the service is upgraded, your pages need a new tag from here, and have no tools until then."
    >
      {build.state === 'answered' && (
        <CopyText name="pinned" text={pinnedTag(origin, publicId, build.value)} />
      )}
      {build.state === 'waiting' && <Note>Asking the service…</Note>}
      {build.state === 'failed' && <Note tone="critical">{build.problem}</Note>}
    </Section>
  )
}

function Trial({build}: {build: Answer<SnippetBuild>}) {
  const hasToken = build.state === 'answered' && build.value.hasTrialToken
  return (
    <Section
      title="Browsers"
      text="WebMCP is in origin trial: a visitor's browser offers it to pages that show a token. Without one the snippet does nothing at all."
    >
      {build.state === 'answered' &&
        (hasToken ? (
          <Note tone="positive">
            This service has a token, which the snippet shows on each of your pages.
          </Note>
        ) : (
          <Note tone="caution">
            This service has no token. Its operator sets one as WEBMCP_ORIGIN_TRIAL_TOKEN, or your pages show
            one of their own.
          </Note>
        ))}
    </Section>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
