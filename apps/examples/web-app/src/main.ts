import { shopServer } from './server.js';
import { openShop } from './shop.js';

const shop = await openShop({
  database: process.env.DATABASE_URL ?? 'sqlite:./shop.db',
  deliver: (mail, key) => console.log(`mail to ${mail.to}: ${mail.subject} (${key})`),
});
const port = Number(process.env.PORT ?? 3000);
const server = shopServer(shop).listen(port, '127.0.0.1', () => {
  console.log(`The shop is open at http://127.0.0.1:${port}. Order something:`);
  console.log(`  curl -d '{"email":"ada@example.org","item":"lamp"}' http://127.0.0.1:${port}/orders`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    server.close();
    await shop.stop();
  });
}
