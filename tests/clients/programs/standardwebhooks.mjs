// Whoever receives an event checks it with the library of the standard.
import { Webhook } from 'standardwebhooks'

const { secret, headers, body } = JSON.parse(process.env.DELIVERY)
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)))
