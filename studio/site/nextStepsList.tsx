import {CheckmarkCircleIcon} from '@sanity/icons/CheckmarkCircle'
import {CircleIcon} from '@sanity/icons/Circle'
import {Box, Card, Flex, Stack, Text} from '@sanity/ui'
import {type ReactNode, useState} from 'react'
import {Link} from 'sanity/router'
import {useAddresses} from '../parts/addresses.ts'
import {Muted, PaneButton, Section} from '../parts/layout.tsx'
import {PreviewDialog} from '../preview/dialog.tsx'
import {MakeToolOf} from '../start/makeTool.tsx'
import type {SiteSummary} from '../start/siteSummary.ts'
import type {Step, StepId} from './nextSteps.ts'

type NextStepsListProps = {
  steps: readonly Step[]
  site: SiteSummary
  /** Called when a page of the site shows a preview. */
  onShown: () => void
}

/** What is left to do for a new site. Nothing when all is done. */
export function NextStepsList({steps, site, onShown}: NextStepsListProps) {
  const next = steps.find(({isDone}) => !isDone)
  if (next === undefined) return null
  return (
    <Card border data-testid="next-steps" padding={4} radius={2}>
      <Section title="What to do next">
        <Stack as="ol" gap={4}>
          {steps.map((step) => (
            <Flex as="li" data-testid={`next-step-${step.id}`} gap={3} key={step.id}>
              <Text size={2}>
                {step.isDone ? (
                  <CheckmarkCircleIcon aria-label="Done:" />
                ) : (
                  <CircleIcon aria-label="To do:" />
                )}
              </Text>
              <Box flex={1}>
                <Stack gap={3}>
                  <Text muted={step.isDone} size={1} weight="medium">
                    {step.title}
                  </Text>
                  {step.id === next.id && (
                    <>
                      <Muted>{step.text}</Muted>
                      <Flex gap={2} wrap="wrap">
                        <Way onShown={onShown} site={site} step={step.id} />
                      </Flex>
                    </>
                  )}
                </Stack>
              </Box>
            </Flex>
          ))}
        </Stack>
      </Section>
    </Card>
  )
}

/** The buttons of a step. */
function Way({step, site, onShown}: Omit<NextStepsListProps, 'steps'> & {step: StepId}): ReactNode {
  const addresses = useAddresses()
  const [isOpening, setOpening] = useState(false)
  const close = () => setOpening(false)
  const shown = () => {
    close()
    onShown()
  }
  switch (step) {
    case 'publish':
    case 'address': {
      const form = step === 'address' ? addresses.addressesOf(site.id) : addresses.form('site', site.id)
      return <PaneButton as={Link} href={form} text="Open the settings" />
    }
    case 'tag':
      return (
        <>
          <PaneButton as={Link} href={addresses.site(site.id, 'install')} text="Get the tag" />
          <PaneButton onClick={() => setOpening(true)} text="Open a page" />
          {isOpening && <PreviewDialog onClose={close} onShown={shown} siteId={site.id} />}
        </>
      )
    case 'tool':
      return <MakeToolOf site={site} />
  }
}
