// The C++ code of docs/from-pybind11.md before the move: python/tests/test_pages.py builds and uses it.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace py = pybind11;

struct Account {
  std::string owner;
  double balance = 0;

  Account(std::string owner, double balance) : owner(owner), balance(balance) {}
  virtual ~Account() = default;
  void Deposit(double amount) {
    if (amount <= 0) throw py::value_error("deposit: expected a positive amount");
    balance += amount;
  }
};

struct Savings : Account {
  double rate;

  Savings(std::string owner, double balance, double rate) : Account(owner, balance), rate(rate) {}
  void PayInterest() { Deposit(balance * rate); }
};

using AccountPtr = std::shared_ptr<Account>;

struct Bank {
  std::vector<AccountPtr> accounts;
  std::map<std::string, AccountPtr> by_owner;

  virtual ~Bank() = default;
  virtual void OnTransfer(AccountPtr from, AccountPtr to, double amount) {}
  AccountPtr Open(std::string owner, double balance) {
    accounts.push_back(std::make_shared<Account>(owner, balance));
    return by_owner[owner] = accounts.back();
  }
  void Transfer(AccountPtr from, AccountPtr to, double amount) {
    to->Deposit(amount);
    from->balance -= amount;
    OnTransfer(from, to, amount);
  }
};

struct PyBank : Bank {
  using Bank::Bank;
  void OnTransfer(AccountPtr from, AccountPtr to, double amount) override {
    PYBIND11_OVERRIDE_NAME(void, Bank, "on_transfer", OnTransfer, from, to, amount);
  }
};

PYBIND11_MODULE(bank_pybind11, m) {
  py::class_<Account, AccountPtr>(m, "Account")
      .def(py::init<std::string, double>(), py::arg("owner"), py::arg("balance") = 0.0)
      .def_readonly("owner", &Account::owner)
      .def_readwrite("balance", &Account::balance)
      .def("deposit", &Account::Deposit, py::call_guard<py::gil_scoped_release>());
  py::class_<Savings, Account, std::shared_ptr<Savings>>(m, "Savings")
      .def(py::init<std::string, double, double>())
      .def_readwrite("rate", &Savings::rate)
      .def("pay_interest", &Savings::PayInterest);
  py::class_<Bank, PyBank>(m, "Bank")
      .def(py::init<>())
      .def_readwrite("accounts", &Bank::accounts)
      .def_readonly("by_owner", &Bank::by_owner)
      .def("on_transfer", &Bank::OnTransfer)
      .def("open", &Bank::Open)
      .def("transfer", &Bank::Transfer);
  m.def("richest", [](std::vector<AccountPtr> accounts) {
    AccountPtr richest;
    for (const AccountPtr& account : accounts) {
      if (!richest || account->balance > richest->balance) richest = account;
    }
    return richest;
  });
  m.def("total_of", [](std::vector<AccountPtr> accounts, std::function<double(AccountPtr)> weight) {
    double total = 0;
    for (const AccountPtr& account : accounts) total += account->balance * weight(account);
    return total;
  });
  m.def("cents", [](double amount) { return static_cast<int64_t>(amount * 100 + 0.5); });
}
