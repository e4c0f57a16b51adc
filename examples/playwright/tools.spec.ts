import {expect, test} from '@handrail/content/playwright'

// Pages get the tools of this content repository, whatever is published.
test.use({content: {directory: 'examples/shop/content'}})

test('an agent finds a rope, and puts it into the cart that the visitor sees', async ({page, tools}) => {
  await page.goto('/products/mooring-rope')
  await expect.poll(tools.names).toContain('searchProducts')
  expect(await tools.call('searchProducts', {query: 'rope'})).toMatchObject({total: expect.any(Number)})
  await tools.call('addToCart', {productId: 'mooring-rope', quantity: 2})
  await page.goto('/cart')
  await expect(page.getByRole('main')).toContainText('Mooring Rope')
})

test('a call that fails has the cause', async ({page, tools}) => {
  await page.goto('/')
  await expect(tools.call('getProduct', {productId: 'gone'})).rejects.toThrow('gone')
})
