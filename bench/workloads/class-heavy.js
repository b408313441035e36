// Small objects of classes: fields, accessors, inheritance, polymorphic calls.
class Vector {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  plus(other) {
    return new Vector(this.x + other.x, this.y + other.y);
  }
  get square() {
    return this.x * this.x + this.y * this.y;
  }
}
class Account {
  balance = 0;
  #entries = 0;
  static opened = 0;
  constructor(owner) {
    this.owner = owner;
    Account.opened++;
  }
  deposit(amount) {
    this.balance += amount;
    this.#entries++;
    return this;
  }
  fee() {
    return 1;
  }
  get entries() {
    return this.#entries;
  }
}
class Savings extends Account {
  rate = 0.02;
  deposit(amount) {
    return super.deposit(amount * (1 + this.rate));
  }
  fee() {
    return 0;
  }
}
class Business extends Account {
  constructor(owner, size) {
    super(owner);
    this.size = size;
  }
  fee() {
    return super.fee() + this.size;
  }
}
let place = new Vector(0, 0);
const stride = new Vector(0.5, -0.25);
for (let i = 0; i < 60_000; i++) place = place.plus(stride);
let fees = 0;
let entries = 0;
let balance = 0;
for (let i = 0; i < 40_000; i++) {
  const kind = i % 3;
  const account = kind === 0 ? new Account("a" + (i % 10)) : kind === 1 ? new Savings("s") : new Business("b", i % 4);
  account.deposit(i % 100).deposit(5);
  fees += account.fee();
  entries += account.entries;
  balance += account.balance;
}
return { x: place.x, square: place.square, fees, entries, balance: Math.round(balance), opened: Account.opened };
