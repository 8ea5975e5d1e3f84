import { Module } from '@nestjs/common';
import { MailAuthors } from './mail-authors.js';
import { MailSender } from './mail-sender.js';
import { MailTransport } from './mail-transport.js';
import { MailService } from './mail.service.js';

@Module({ providers: [MailAuthors, MailSender, MailService, MailTransport], exports: [MailAuthors, MailService] })
export class MailModule {}
