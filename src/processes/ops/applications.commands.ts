import { ListOf, one, Text } from '#operations';
import { OperatorClients } from '../../auth/oauth/operator-clients.service.js';
import { command } from './command.js';

class NewApplication {
  @Text({ description: 'Name that people see when they approve it.', max: 80 })
  name: string;

  @ListOf({ text: 2_048 }, { description: 'Redirect URIs: https, or http on loopback.', min: 1, max: 10 })
  redirectUris: string[];
}

class NewApplicationView {
  @Text({ description: 'Client id of the application.', max: 2_048 }) clientId: string;
}

export const applicationCommands = [
  command({
    name: 'application create',
    description: 'Registers a verified application; it does not count towards the hourly registration limit.',
    input: NewApplication,
    output: one(NewApplicationView),
    run: (service, { name, redirectUris }) => service.get(OperatorClients).create(name, redirectUris),
  }),
];
