import assert from 'node:assert/strict'

/**
 * The content of `/metrics`: the kind of each family, and the value of each sample by its name and labels.
 */
export type Exposition = {types: Map<string, string>; samples: Map<string, number>}

/** Parses Prometheus' text format as strictly as its own parser and linter do. */
function parseExposition(text: string): Exposition {
  const types = new Map<string, string>()
  const samples = new Map<string, number>()
  let family = ''
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const [, name, type] = line.match(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/) ?? []
    if (name !== undefined && type !== undefined) {
      assert.ok(!types.has(name), `${name} occurs twice`)
      assert.ok(type === 'counter' || !name.endsWith('_total'), `${name} is named like a counter`)
      types.set(name, type)
      family = name
      continue
    }
    const [, series = '', value = ''] = line.match(/^([a-z0-9_]+(?:\{.+\})?) (\S+)$/) ?? []
    assert.ok(series.startsWith(family) && value !== '', `not a sample of ${family}: ${line}`)
    assert.ok(!samples.has(series), `${series} has two values`)
    samples.set(series, Number(value))
  }
  return {types, samples}
}

export async function metricsOf(address: string): Promise<Exposition> {
  const response = await fetch(`${address}/metrics`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return parseExposition(await response.text())
}
