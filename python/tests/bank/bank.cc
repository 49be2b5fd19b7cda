// The C++ code of docs/from-pybind11.md, after the move: python/tests/test_pages.py builds and uses it.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace ffi = tvm::ffi;

class AccountObj : public ffi::Object {
 public:
  ffi::String owner;
  double balance;

  AccountObj(ffi::String owner, double balance) : owner(std::move(owner)), balance(balance) {}
  void Deposit(double amount) {
    if (amount <= 0) TVM_FFI_THROW(ValueError) << "deposit: expected a positive amount, got " << amount;
    balance += amount;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("bank.Account", AccountObj, ffi::Object);
};

class Account : public ffi::ObjectRef {
 public:
  Account(ffi::String owner, double balance) { data_ = ffi::make_object<AccountObj>(std::move(owner), balance); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Account, ffi::ObjectRef, AccountObj);
};

class SavingsObj : public AccountObj {
 public:
  double rate;

  SavingsObj(ffi::String owner, double balance, double rate) : AccountObj(std::move(owner), balance), rate(rate) {}
  void PayInterest() { Deposit(balance * rate); }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bank.Savings", SavingsObj, AccountObj);
};

class BankObj : public ffi::Object {
 public:
  ffi::List<Account> accounts;
  ffi::Dict<ffi::String, Account> by_owner;
  ffi::Function on_transfer;

  explicit BankObj(ffi::Function on_transfer) : on_transfer(std::move(on_transfer)) {}
  Account Open(ffi::String owner, double balance) {
    Account account(owner, balance);
    accounts.push_back(account);
    by_owner.Set(owner, account);
    return account;
  }
  void Transfer(Account from, Account to, double amount) {
    if (from->balance < amount) TVM_FFI_THROW(bank.Overdrawn) << from->owner << " has no " << amount;
    to->Deposit(amount);
    from->balance -= amount;
    if (on_transfer.defined()) on_transfer(from, to, amount);
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bank.Bank", BankObj, ffi::Object);
};

Account Richest(ffi::Array<Account> accounts) {
  Account richest;
  for (const Account& account : accounts) {
    if (!richest.defined() || account->balance > richest->balance) richest = account;
  }
  return richest;
}

double TotalOf(ffi::Array<Account> accounts, ffi::TypedFunction<double(Account)> weight) {
  double total = 0;
  for (const Account& account : accounts) total += account->balance * weight(account);
  return total;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<AccountObj>()
      .def(refl::init<ffi::String, double>())
      .def_ro("owner", &AccountObj::owner, "Who may spend the money.")
      .def_rw("balance", &AccountObj::balance)
      .def("deposit", &AccountObj::Deposit, "Adds a positive amount.");
  refl::ObjectDef<SavingsObj>()
      .def(refl::init<ffi::String, double, double>())
      .def_rw("rate", &SavingsObj::rate)
      .def("pay_interest", &SavingsObj::PayInterest);
  refl::ObjectDef<BankObj>()
      .def(refl::init<ffi::Function>())
      .def_ro("accounts", &BankObj::accounts)
      .def_ro("by_owner", &BankObj::by_owner)
      .def_rw("on_transfer", &BankObj::on_transfer)
      .def("open", &BankObj::Open)
      .def("transfer", &BankObj::Transfer);
  refl::GlobalDef()
      .def("bank.richest", Richest)
      .def("bank.total_of", TotalOf)
      .def(
          "bank.cents", [](double amount) { return static_cast<int64_t>(amount * 100 + 0.5); },
          refl::Metadata{{"release_gil", false}});
}
