import {Heading, Stack} from '@sanity/ui'
import {HELP_PAGES, HELP_PATH, HOSTED_HELP_PATH} from '../helpPages.ts'
import {isLake} from '../running.ts'
import {Muted, Strong} from './layout.tsx'
import {UNDERLINED} from './underlined.ts'

/** Links to the guides. */
export function Guides() {
  return (
    <Stack data-testid="guides" gap={3}>
      <Strong>Guides</Strong>
      <Muted>
        {HELP_PAGES.filter(({isOfLake}) => isLake || !isOfLake).map(({name, title}, index) => (
          <span key={name}>
            {index > 0 && ' · '}
            <a
              href={isLake ? `${HELP_PATH}/${name}` : `${HOSTED_HELP_PATH}/${name}.html`}
              rel="noreferrer"
              style={UNDERLINED}
              target="_blank"
            >
              {title}
            </a>
          </span>
        ))}
      </Muted>
    </Stack>
  )
}

/** Texts with titles. */
export function Topics({of}: {of: readonly (readonly [title: string, text: string])[]}) {
  return of.map(([title, text]) => (
    <Stack gap={3} key={title}>
      <Heading as="h3" size={0}>
        {title}
      </Heading>
      <Muted>{text}</Muted>
    </Stack>
  ))
}
